"""Questions of the literature asked again, one module or folder each."""
