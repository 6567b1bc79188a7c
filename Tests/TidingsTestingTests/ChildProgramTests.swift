// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Testing
import TidingsCoreFixtures

/// The programs that tests start.
@Suite(.timeLimit(.minutes(15)))
struct ChildProgramTests {
    @Test func aProgramInheritsTheThreeStreamsAlone() throws {
        // Another test may hold such a pipe while the program starts.
        var pipe: [CInt] = [0, 0]
        try #require(Foundation.pipe(&pipe) == 0)
        defer { for end in pipe { close(end) } }
        let program = try ChildProgram(["ls", "/proc/self/fd"])
        // The fourth is the folder that the program lists.
        #expect(String(decoding: program.readToEnd(), as: UTF8.self) == "0\n1\n2\n3\n")
        #expect(program.waitUntilExit() == 0)
    }

    @Test func aProgramThatNobodyAwaitsIsCollected() throws {
        let number: pid_t
        do { number = try ChildProgram(["cat"]).number }
        // A collected program has no number.
        while kill(number, 0) == 0 { sched_yield() }
    }

    @Test(arguments: [("exit 3", 3), ("kill -9 $$", 137), ("exit 0", 0)] as [(String, CInt)])
    func theStatusIsThatOfTheShell(script: String, status: CInt) throws {
        #expect(try ChildProgram(["sh", "-c", script]).waitUntilExit() == status)
    }

    @Test func linesAndTheRestComeInOrder() throws {
        let program = try ChildProgram(["cat"], in: "/")
        try program.write("one\n\ntwo\nthree".utf8)
        program.closeInput()
        #expect(program.readLine() == "one")
        #expect(program.readLine() == "")
        #expect(String(decoding: program.readToEnd(), as: UTF8.self) == "two\nthree")
        #expect(program.readLine() == nil)
    }

    @Test func aProgramThatCannotStartIsNamed() {
        #expect(throws: ChildProgram.Failure.self) { try ChildProgram(["/nowhere"]) }
        #expect(throws: ChildProgram.Failure.self) { try ChildProgram.output(of: ["false"]) }
        #expect(throws: ChildProgram.Failure.self) { try ChildProgram(["cat"], in: "/nowhere") }
    }
}
#endif
