// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import tidings_symbolicate

@Suite(.timeLimit(.minutes(15)))
struct SymbolicateArgumentsTests {
    @Test func theReportAndTheBinariesAreParsed() throws {
        let arguments = try SymbolicateArguments([
            "a.json", "--binary", "b", "--binary=c", "--json",
        ])
        #expect(arguments.report == "a.json" && arguments.binaries == ["b", "c"])
        #expect(arguments.printsJSON && !arguments.showsHelp)
        #expect(try SymbolicateArguments(["-", "--binary", "b"]).report == "-")
        let other = try SymbolicateArguments(["a", "--folder", "b", "--folder=c"])
        #expect(other.folders == ["b", "c"] && other.binaries.isEmpty)
        #expect(try SymbolicateArguments(["--help"]).showsHelp)
    }

    @Test(arguments: [
        ([], "no report given"),
        (["a", "b", "--binary", "c"], "more than one report given"),
        (["a"], "no file with symbols given; add --binary FILE or --folder FOLDER"),
        (["a", "--binary"], "--binary needs a path"),
        (["a", "--folder"], "--folder needs a path"),
        (["a", "--binarys", "b"], "unknown option --binarys"),
    ])
    func invalidArgumentsAreReported(_ arguments: [String], _ message: String) {
        let failure = #expect(throws: SymbolicateArguments.Failure.self) {
            try SymbolicateArguments(arguments)
        }
        #expect(failure?.description == message)
    }
}
