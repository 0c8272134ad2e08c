"""The evidence of one folder: built once, kept on disk, read back without the files.

    evidence/
      evidence.json                  Index
      files/NNNN.json                Content of the n-th file, from 1, if its status is ok
      recalc/NNNN.json               Recalculation, if it was asked for
      whatif/<sha>-NNNN.json         Recalculation after changes; sha: of the changes
      pages/NNNN.json                PageImages, if asked for
      pages/NNNN/page_0001.png
"""

from bythebook.deliverables.evidence.model import Kind

READERS: dict[Kind, str] = {
    "xlsx": "xlsx",
    "docx": "docx",
    "pptx": "pptx",
    "pdf": "pdf",
    "text": "text",
    "image": "image",
}
"""Kind to the module beside this one whose `read(path)` reads it."""
