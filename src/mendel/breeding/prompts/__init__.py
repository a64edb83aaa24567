"""Build prompts for models: instructions from templates, and text written by candidates as delimited data (rule 5).

::

    from mendel.breeding.prompts.inputs import MutationPrompt
    from mendel.breeding.prompts.mutation import mutation_messages

    asked = mutation_messages(MutationPrompt(language="Python", files={"sort.py": text}, form="diff"))

Instructions come from the Jinja templates in ``templates/``. A user's folder may replace templates by name; a run
stores these, so that its prompts stay the same after the folder changes.
Sources and cases are never passed to a template: each is a message of its own. Answers are text in one of three forms,
read by :mod:`mendel.breeding.patches`; its complaints are returned to the model by the gateway's repair.
"""
