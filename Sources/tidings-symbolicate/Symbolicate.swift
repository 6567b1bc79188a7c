// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics

/// The command-line program: finds the functions of a report in files with symbols.
@main
struct Symbolicate {
    /// The maximum size of the input in bytes, which is the size of the largest envelope that
    /// servers accept.
    private static let sizeLimit = 100 << 20

    static func main() {
        do {
            let arguments = try SymbolicateArguments(Array(CommandLine.arguments.dropFirst()))
            if arguments.showsHelp { return write(SymbolicateArguments.usage, to: STDOUT_FILENO) }
            try run(arguments)
        } catch let failure as SymbolicateArguments.Failure {
            fail("\(failure.description.forTerminal)\n\n\(SymbolicateArguments.usage)", status: 2)
        } catch {
            fail("\(error)".forTerminal, status: 1)
        }
    }

    private static func run(_ arguments: SymbolicateArguments) throws {
        let file =
            arguments.report == "-"
            ? FileHandle.standardInput : FileHandle(forReadingAtPath: arguments.report)
        let data = try? file?.read(upToCount: sizeLimit)
        let reports = Report.all(in: data ?? Data())
        if reports.isEmpty {
            let remedy = "Reports are in the spool/ folder of their reporter."
            let path = arguments.report.forTerminal
            fail("\(path) is not a readable report or event. \(remedy)", status: 1)
        }
        let folders = try arguments.folders.map { path in
            guard let folder = DebugFolder(path) else {
                throw SymbolicateArguments.Failure(description: "\(path) is not a folder")
            }
            return folder
        }
        let symbols = Symbols(binaries: arguments.binaries, folders: folders)
        let isSymbolicated = printAll(
            reports,
            with: symbols,
            asJSON: arguments.printsJSON,
            output: { write($0, to: STDOUT_FILENO) },
            note: { write("tidings-symbolicate: \($0)", to: STDERR_FILENO) }
        )
        if !isSymbolicated { exit(1) }
    }

    /// Prints reports with the functions that are found, and notes about the missing ones.
    ///
    /// A report for which no file fits is printed unchanged, so that the report does not hide later
    /// reports.
    ///
    /// - Returns: Whether a file belongs to one of the reports.
    static func printAll(
        _ reports: [Report],
        with symbols: Symbols,
        asJSON: Bool,
        output: (String) -> Void,
        note: (String) -> Void
    ) -> Bool {
        var isSymbolicated = false
        for (index, report) in reports.enumerated() {
            let result = symbols.result(of: report)
            for text in result.notes { note(text.forTerminal) }
            if result.isSymbolicated { isSymbolicated = true }
            if !asJSON {
                let text = result.report.frameLines.joined(separator: "\n")
                output(index == 0 ? text : "\n" + text)
                continue
            }
            do {
                output(String(decoding: try result.report.encoded(), as: UTF8.self))
            } catch {
                note("The report \(report.id) cannot be written as JSON: \(error)".forTerminal)
            }
        }
        return isSymbolicated
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        write("tidings-symbolicate: \(message)", to: STDERR_FILENO)
        exit(status)
    }

    private static func write(_ text: String, to file: Int32) {
        try? FileHandle(fileDescriptor: file).write(contentsOf: Data((text + "\n").utf8))
    }
}
