# SPDX-License-Identifier: Apache-2.0
"""Reads the compiler's index of a debug build with the library of the toolchain."""

import collections
import ctypes
import pathlib
import shutil
import subprocess

DEFINITION, REFERENCE, IMPLICIT = 1 << 1, 1 << 2, 1 << 8
ENUM_CASE = 15

Occurrence = collections.namedtuple("Occurrence", "symbol kind roles line column")


class Text(ctypes.Structure):
    """A string of the index."""

    _fields_ = [("data", ctypes.POINTER(ctypes.c_char)), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode()


OFTEXT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)
OFHANDLE = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)


class Index:
    """The index of a build, read with the library of the toolchain."""

    def __init__(self, path):
        toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
        self.library = ctypes.CDLL(str(toolchain / "lib/libIndexStore.so"))
        self.handle = self.make("store_create", str(path).encode())

    def function(self, name, result, *arguments):
        function = getattr(self.library, f"indexstore_{name}")
        function.restype, function.argtypes = result, arguments
        return function

    def make(self, name, *arguments):
        error = ctypes.c_void_p()
        types = [ctypes.c_char_p if isinstance(each, bytes) else ctypes.c_void_p for each in arguments]
        made = self.function(name, ctypes.c_void_p, *types, ctypes.c_void_p)(*arguments, ctypes.byref(error))
        if not made:
            describe = self.function("error_get_description", ctypes.c_char_p, ctypes.c_void_p)
            raise SystemExit(f"the index cannot be read: {describe(error).decode()}")
        return made

    def each(self, name, kind, visit, *arguments):
        """Calls a function of the library that calls `visit` for each value."""
        types = [ctypes.c_bool if isinstance(each, bool) else ctypes.c_void_p for each in arguments]
        function = self.function(name, ctypes.c_bool, *types, ctypes.c_void_p, kind)
        function(*arguments, None, kind(lambda _, value: visit(value) or True))

    def records(self):
        """Returns the path of the source of each record."""
        units, found = [], {}
        kind = self.function("unit_dependency_get_kind", ctypes.c_int, ctypes.c_void_p)
        name = self.function("unit_dependency_get_name", Text, ctypes.c_void_p)
        path = self.function("unit_dependency_get_filepath", Text, ctypes.c_void_p)

        def note(dependency):
            if kind(dependency) == 2 and str(path(dependency)).endswith(".swift"):
                found[str(name(dependency))] = str(path(dependency))

        self.function("store_units_apply_f", ctypes.c_bool, ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, OFTEXT)(
            self.handle, 0, None, OFTEXT(lambda _, unit: units.append(str(unit)) or True))
        for unit in units:
            reader = self.make("unit_reader_create", self.handle, unit.encode())
            self.each("unit_reader_dependencies_apply_f", OFHANDLE, note, reader)
            self.function("unit_reader_dispose", None, ctypes.c_void_p)(reader)
        return found

    def sources(self):
        """Returns the record of each Swift file of the library and the program."""
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "Sources", "Offline/Sources"],
                                capture_output=True, text=True, check=True).stdout.split()
        files = {each for each in listed if each.endswith(".swift") and pathlib.Path(each).exists()}
        return {file: record for record, path in self.records().items()
                for place, character in enumerate(path) if character == "/"
                for file in [path[place + 1:]] if file in files}

    def occurrences(self, record):
        """Returns the occurrences of symbols in a file."""
        symbol_of = self.function("occurrence_get_symbol", ctypes.c_void_p, ctypes.c_void_p)
        roles = self.function("occurrence_get_roles", ctypes.c_uint64, ctypes.c_void_p)
        place = self.function("occurrence_get_line_col", None, ctypes.c_void_p, *[ctypes.POINTER(ctypes.c_uint)] * 2)
        kind = self.function("symbol_get_kind", ctypes.c_int, ctypes.c_void_p)
        name = self.function("symbol_get_usr", Text, ctypes.c_void_p)
        line, column, found = ctypes.c_uint(), ctypes.c_uint(), []

        def note(occurrence):
            symbol = symbol_of(occurrence)
            place(occurrence, ctypes.byref(line), ctypes.byref(column))
            found.append(Occurrence(str(name(symbol)), kind(symbol), roles(occurrence), line.value, column.value))

        reader = self.make("record_reader_create", self.handle, record.encode())
        self.each("record_reader_occurrences_apply_f", OFHANDLE, note, reader)
        self.function("record_reader_dispose", None, ctypes.c_void_p)(reader)
        return found

    def symbols(self, record):
        """Returns the symbols that a file defines, and the other symbols of the file."""
        roles = self.function("symbol_get_roles", ctypes.c_uint64, ctypes.c_void_p)
        name = self.function("symbol_get_usr", Text, ctypes.c_void_p)
        defined, others = set(), set()

        def note(symbol):
            (defined if roles(symbol) & DEFINITION else others).add(str(name(symbol)))

        reader = self.make("record_reader_create", self.handle, record.encode())
        self.each("record_reader_symbols_apply_f", OFHANDLE, note, reader, True)
        self.function("record_reader_dispose", None, ctypes.c_void_p)(reader)
        return defined, others


def module_folder(file):
    """Returns the folder of the module of a file."""
    parts = pathlib.Path(file).parts
    return str(pathlib.Path(*parts[:3 if parts[1] in ("Internal", "Sources") else 2]))
