# Prints the inputs that change from what `pulumi preview --diff` prints, one a line, below the name of their resource:
#   support: update
#     variable LOG_LEVEL: info → debug
# A secret is named only. Text of more than one line is printed as Pulumi prints it.

{ indent = match($0, /[^ ]/) - 1 }
isText && indent > path_indent { print "  " substr($0, path_indent + 1); next }
{ isText = 0 }
/^ +[^:]+[^ ]+: \([a-z-]+\)/ && !/[{[]$/ {
  shows = match($0, /: \((create|update|replace|delete)\)/) && !/pulumi:pulumi:Stack:/
  operation = substr($0, RSTART + 3, RLENGTH - 4)
  next
}
/--outputs:--/ || /^[^ ]/ { shows = 0 }
!shows { next }
/^ +\[urn=/ {
  first = indent - 2
  sub(/.*::/, "")
  sub(/\]$/, "")
  print $0 ": " operation
  next
}
/^ +[-+~] / {
  sign = substr($0, indent + 1, 1)
  line = substr($0, indent + 3)
  match(line, / *: ?/)
  path[indent] = substr(line, 1, RSTART - 1)
  value = substr(line, RSTART + RLENGTH)
  # Its members follow.
  if (value ~ /^(\([a-z]+\) )?[{[]$/) next
  isText = value == ""
  path_indent = indent
  change = sign == "+" ? " added" : sign == "-" ? " removed" : ""
  print "  " name() change ":" (isText ? "" : " " arrow(value))
}

# The path of an input, whose members are four blanks further in: `sourceRevisionConfig.repoRef`, `variable LOG_LEVEL`.
function name(at, text) {
  text = path[first]
  for (at = first + 4; at <= indent; at += 4) text = text (path[at] ~ /^\[/ ? "" : ".") path[at]
  sub(/^(env|secrets)\./, "variable ", text)
  return text
}

# Quotes in a value are escaped, so the first ` => ` after its end is Pulumi's.
function arrow(value) {
  if (value == "[secret] => [secret]") return "[secret]"
  if (!match(value, /^("([^"\\]|\\.)*"|[^" ]+) => /)) return bare(value)
  return bare(substr(value, 1, RLENGTH - 4)) " → " bare(substr(value, RLENGTH + 1))
}
function bare(value) {
  return value ~ /^"[^"\\ ]+"$/ ? substr(value, 2, length(value) - 2) : value
}
