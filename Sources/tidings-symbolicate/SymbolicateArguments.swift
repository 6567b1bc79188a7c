// SPDX-License-Identifier: Apache-2.0

/// The arguments of the command line.
struct SymbolicateArguments: Equatable {
    /// An error in the arguments, with a message for the user.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        usage: tidings-symbolicate REPORT [--binary FILE ...] [--folder FOLDER ...] [--json]

        Finds functions, files and lines for the report of a program that was shipped without
        symbols, and the reason of a crash that only they tell. REPORT is a report file from spool/
        in the reporter's folder, a file of a FileSink, or an event or an envelope in the format of
        Sentry; - reads standard input.

          --binary FILE    the same build of the program, or of one of its libraries, with symbols:
                           its build ID must be the one in the report
          --folder FOLDER  a folder with such files, anywhere below it. They are found by build ID,
                           as in .build-id/ab/cdef.debug, or by the name and the checksum in the
                           .gnu_debuglink of a stripped file that is in the folder or still at the
                           path in the report
          --json           print the whole symbolicated report instead of its frames
          --help           print this help

        The debug information must not be compressed: objcopy --decompress-debug-sections expands
        it.
        """

    var report = ""
    var binaries: [String] = []
    var folders: [String] = []
    var printsJSON = false
    var showsHelp = false

    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        var reports: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": showsHelp = true
            case "--json": printsJSON = true
            case "--binary": binaries.append(try Self.path(after: argument, &rest))
            case "--folder": folders.append(try Self.path(after: argument, &rest))
            case _ where argument.hasPrefix("--binary="):
                binaries.append(String(argument.dropFirst("--binary=".count)))
            case _ where argument.hasPrefix("--folder="):
                folders.append(String(argument.dropFirst("--folder=".count)))
            case _ where argument.hasPrefix("-") && argument != "-":
                throw Failure(description: "unknown option \(argument)")
            default: reports.append(argument)
            }
        }
        if showsHelp { return }
        guard reports.count == 1 else {
            throw Failure(
                description: reports.isEmpty ? "no report given" : "more than one report given"
            )
        }
        guard !binaries.isEmpty || !folders.isEmpty else {
            throw Failure(
                description: "no file with symbols given; add --binary FILE or --folder FOLDER"
            )
        }
        report = reports[0]
    }

    private static func path(
        after option: String,
        _ rest: inout ArraySlice<String>
    ) throws(Failure) -> String {
        guard let path = rest.popFirst() else {
            throw Failure(description: "\(option) needs a path")
        }
        return path
    }
}
