// SPDX-License-Identifier: Apache-2.0

/// The arguments of the command line.
struct SymbolicateArguments: Equatable {
    /// An error in the arguments, with a message for a person.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        usage: tidings-symbolicate REPORT --binary FILE [--binary FILE ...] [--json]

        Finds functions, files and lines for the report of a program that was shipped without
        symbols. REPORT is a report file from spool/ in the reporter's folder, or - for standard
        input. FILE is the same build of the program, or of one of its libraries, with symbols: its
        build ID must be the one in the report.

          --binary FILE  a file with symbols
          --json         print the whole symbolicated report instead of its frames
          --help         print this help
        """

    var report = ""
    var binaries: [String] = []
    var printsJSON = false
    var showsHelp = false

    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        var reports: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": showsHelp = true
            case "--json": printsJSON = true
            case "--binary":
                guard let file = rest.popFirst() else {
                    throw Failure(description: "--binary needs a file path")
                }
                binaries.append(file)
            case _ where argument.hasPrefix("--binary="):
                binaries.append(String(argument.dropFirst("--binary=".count)))
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
        guard !binaries.isEmpty else {
            throw Failure(description: "no file with symbols given; add --binary FILE")
        }
        report = reports[0]
    }
}
