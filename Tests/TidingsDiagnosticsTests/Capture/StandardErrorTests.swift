// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// The program's use of the standard error during redirection to a pipe.
@Suite(.timeLimit(.minutes(15)))
struct StandardErrorTests {
    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    private static func redirect(_ path: String) {
        let file = open("\(path)/log", O_RDWR | O_CREAT | O_APPEND, 0o600)
        dup2(file, STDERR_FILENO)
        close(file)
    }

    @Test func aStopKeepsARedirectionByTheProgram() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = fixture.folder.path as String] in
            let sut = try CrashFixture.start(path, capturesStandardError: true)
            CrashFixture.writeError("before\n")
            Self.redirect(path)
            sut.stop()
            CrashFixture.writeError("after\n")
            _exit(0)
        }
        #expect(try fixture.folder.text(of: "log") == "after\n")
    }

    @Test func aCrashAndItsEarlierHandlerWriteToTheProgramsStandardError() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            signal(SIGSEGV) { _ in CrashFixture.writeError("crashed\n") }
            _ = try CrashFixture.start(path, capturesStandardError: true)
            Self.redirect(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try fixture.capture()?.isComplete == true)
        #expect(try fixture.folder.text(of: "log") == "crashed\n")
    }

    @Test func anExitWritesToTheProgramsStandardError() async throws {
        let result = await #expect(
            processExitsWith: .exitCode(0),
            observing: [\.standardErrorContent]
        ) { [path = fixture.folder.path as String] in
            atexit { CrashFixture.writeError("exited\n") }
            CrashCapture.registerExitHandler()
            _ = try CrashFixture.start(path, capturesStandardError: true)
            CrashFixture.writeError("before\n")
            Self.redirect(path)
            exit(0)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("before\n") && !text.contains("exited"))
        #expect(try fixture.folder.text(of: "log") == "exited\n")
    }

    /// A file that reuses a descriptor of the pipe after the last writer is gone.
    @Test func aLaterFileIsNotMistakenForThePipe() async throws {
        await #expect(processExitsWith: .signal(CrashWay.fatalError.signal)) {
            [path = fixture.folder.path as String] in
            let before = Self.openFiles()
            _ = try CrashFixture.start(path, capturesStandardError: true)
            let pipes = Self.openFiles().subtracting(before)
            Self.redirect(path)
            // The forwarding thread reads the end of the pipe and closes both descriptors.
            while pipes.isSubset(of: Self.openFiles()) {}
            for number in 0..<32 { _ = open("\(path)/later\(number)", O_RDWR | O_CREAT, 0o600) }
            _ = crashOnPurpose(.fatalError, 1)
        }
        #expect(try fixture.capture()?.isComplete == true)
        for name in fixture.folder.names where name.hasPrefix("later") {
            #expect(try fixture.folder.text(of: name).isEmpty)
        }
        #expect(try fixture.folder.text(of: "log").contains("The text of the error."))
    }

    private static func openFiles() -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [])
    }
}
#endif
