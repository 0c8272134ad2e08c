"""Tables in the forms that people and programs read; one module a form."""
