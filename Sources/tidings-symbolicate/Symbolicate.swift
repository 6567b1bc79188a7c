// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics

/// The command-line program: finds the functions of a report in files with symbols.
@main
struct Symbolicate {
    /// The maximum size of a report file, in bytes; a reporter writes no larger ones.
    private static let sizeLimit = 4 << 20

    static func main() {
        do {
            let arguments = try SymbolicateArguments(Array(CommandLine.arguments.dropFirst()))
            if arguments.showsHelp { return write(SymbolicateArguments.usage, to: STDOUT_FILENO) }
            try run(arguments)
        } catch let failure as SymbolicateArguments.Failure {
            fail("\(failure)\n\n\(SymbolicateArguments.usage)", status: 2)
        } catch let error as DiagnosticsError {
            fail(error.message, status: 1)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private static func run(_ arguments: SymbolicateArguments) throws {
        let file =
            arguments.report == "-"
            ? FileHandle.standardInput : FileHandle(forReadingAtPath: arguments.report)
        guard let data = try? file?.read(upToCount: sizeLimit), var report = Report(encoded: data)
        else {
            let remedy = "Reports are in the spool/ folder of their reporter."
            fail("\(arguments.report) is not a readable report. \(remedy)", status: 1)
        }
        for binary in arguments.binaries { report = try report.symbolicated(with: binary) }
        let text =
            arguments.printsJSON
            ? String(decoding: try report.encoded(), as: UTF8.self)
            : report.frameLines.joined(separator: "\n")
        write(text, to: STDOUT_FILENO)
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        write("tidings-symbolicate: \(message)", to: STDERR_FILENO)
        exit(status)
    }

    private static func write(_ text: String, to file: Int32) {
        try? FileHandle(fileDescriptor: file).write(contentsOf: Data((text + "\n").utf8))
    }
}
