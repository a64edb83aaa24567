"""Parent selection and scoring. Never called in ``fold``: the choices are recorded in the birth markers."""
