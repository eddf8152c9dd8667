@echo off
rem Pulumi starts this file; the provider is one file of JavaScript beside it.
node "%~dp0provider.cjs" %*
