// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import tidings_symbolicate

@Suite(.timeLimit(.minutes(5)))
struct SymbolicateArgumentsTests {
    @Test func aReportAndItsFilesAreNamed() throws {
        let arguments = try SymbolicateArguments([
            "a.json", "--binary", "b", "--binary=c", "--json",
        ])
        #expect(arguments.report == "a.json" && arguments.binaries == ["b", "c"])
        #expect(arguments.printsJSON && !arguments.wantsHelp)
        #expect(try SymbolicateArguments(["-", "--binary", "b"]).report == "-")
        #expect(try SymbolicateArguments(["--help"]).wantsHelp)
    }

    @Test(arguments: [
        ([], "name a report"),
        (["a", "b", "--binary", "c"], "name one report"),
        (["a"], "name a file with symbols: --binary FILE"),
        (["a", "--binary"], "--binary needs the path of a file"),
        (["a", "--binarys", "b"], "there is no option --binarys"),
    ])
    func whatCannotBeIsSaid(_ arguments: [String], _ message: String) {
        let failure = #expect(throws: SymbolicateArguments.Failure.self) {
            try SymbolicateArguments(arguments)
        }
        #expect(failure?.description == message)
    }
}
