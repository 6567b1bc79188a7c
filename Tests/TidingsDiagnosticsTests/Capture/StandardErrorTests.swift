// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// What a program does with its standard error while it is led through a pipe.
@Suite(.timeLimit(.minutes(5)))
struct StandardErrorTests {
    private let place: CrashPlace

    init() throws {
        place = try CrashPlace()
    }

    private static func redirect(_ path: String) {
        let file = open("\(path)/log", O_RDWR | O_CREAT | O_APPEND, 0o600)
        dup2(file, STDERR_FILENO)
        close(file)
    }

    @Test func aStopLeavesWhatTheProgramHasRedirected() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = place.folder.path as String] in
            let sut = try CrashPlace.start(path, capturesStandardError: true)
            CrashPlace.say("before\n")
            Self.redirect(path)
            sut.stop()
            CrashPlace.say("after\n")
            _exit(0)
        }
        #expect(try place.folder.text(of: "log") == "after\n")
    }

    @Test func aCrashAndWhatIsCalledThenWriteWhereTheProgramWantsIt() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            signal(SIGSEGV) { _ in CrashPlace.say("crashed\n") }
            _ = try CrashPlace.start(path, capturesStandardError: true)
            Self.redirect(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try place.capture()?.isComplete == true)
        #expect(try place.folder.text(of: "log") == "crashed\n")
    }

    @Test func anExitWritesWhereTheProgramWantsIt() async throws {
        let result = await #expect(
            processExitsWith: .exitCode(0),
            observing: [\.standardErrorContent]
        ) { [path = place.folder.path as String] in
            atexit { CrashPlace.say("exited\n") }
            CrashCapture.marksCleanAtExit()
            _ = try CrashPlace.start(path, capturesStandardError: true)
            CrashPlace.say("before\n")
            Self.redirect(path)
            exit(0)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("before\n") && !text.contains("exited"))
        #expect(try place.folder.text(of: "log") == "exited\n")
    }

    /// When nobody writes to the pipe any more its numbers are those of other files.
    @Test func whatIsOpenedLaterIsNotTakenForThePipe() async throws {
        await #expect(processExitsWith: .signal(CrashWay.fatalError.signal)) {
            [path = place.folder.path as String] in
            let before = Self.openFiles()
            _ = try CrashPlace.start(path, capturesStandardError: true)
            let pipes = Self.openFiles().subtracting(before)
            Self.redirect(path)
            // The thread that reads sees the end, and closes both.
            while pipes.isSubset(of: Self.openFiles()) {}
            for number in 0..<32 { _ = open("\(path)/later\(number)", O_RDWR | O_CREAT, 0o600) }
            _ = crashOnPurpose(.fatalError, 1)
        }
        #expect(try place.capture()?.isComplete == true)
        for name in place.folder.names where name.hasPrefix("later") {
            #expect(try place.folder.text(of: name).isEmpty)
        }
        #expect(try place.folder.text(of: "log").contains("The text of the error."))
    }

    private static func openFiles() -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [])
    }
}
#endif
