// SPDX-License-Identifier: Apache-2.0

/// What was asked for on the command line.
struct SymbolicateArguments: Equatable {
    /// Something on the command line that cannot be.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        usage: tidings-symbolicate REPORT --binary FILE [--binary FILE ...] [--json]

        Finds functions, files and lines in a report of a program that was delivered without
        symbols. REPORT is the file of a report, as it lies under spool/ in the reporter's folder, -
        for the standard input. FILE is the same build of the program, or of one of its libraries,
        with symbols: its build id must be the one in the report.

          --binary FILE  where the symbols are
          --json         print the whole report with what was found, instead of its frames
          --help         print this
        """

    var report = ""
    var binaries: [String] = []
    var printsJSON = false
    var wantsHelp = false

    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        var reports: [String] = []
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--json": printsJSON = true
            case "--binary":
                guard let file = rest.popFirst() else {
                    throw Failure(description: "--binary needs the path of a file")
                }
                binaries.append(file)
            case _ where argument.hasPrefix("--binary="):
                binaries.append(String(argument.dropFirst("--binary=".count)))
            case _ where argument.hasPrefix("-") && argument != "-":
                throw Failure(description: "there is no option \(argument)")
            default: reports.append(argument)
            }
        }
        if wantsHelp { return }
        guard reports.count == 1 else {
            throw Failure(description: reports.isEmpty ? "name a report" : "name one report")
        }
        guard !binaries.isEmpty else {
            throw Failure(description: "name a file with symbols: --binary FILE")
        }
        report = reports[0]
    }
}
