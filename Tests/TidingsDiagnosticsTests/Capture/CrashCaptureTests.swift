// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// The setup of a capture, in separate processes because a process has only one handler.
@Suite(.timeLimit(.minutes(15)))
struct CrashCaptureTests {
    /// A symbolicator that never finishes listing the images.
    private struct StuckSymbolicator: Symbolicator {
        func captureImages() -> ImageList {
            while true { pause() }
        }

        func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] { [] }
    }

    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    @Test func r6_theReportFilesAreAllocatedAtTheStart() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = fixture.folder.path as String] in
            let sut = try CrashFixture.start(path)
            try #require(sut.status.isOn && sut.status.problems.isEmpty)
            sut.waitForImages()
            exit(0)
        }
        for name in ["0", "1"] {
            var facts = stat()
            #expect(stat("\(fixture.folder.path)/\(name)", &facts) == 0)
            #expect(facts.st_size == 256 << 10 && facts.st_blocks * 512 >= 256 << 10)
            #expect(facts.st_mode & 0o777 == 0o600)
        }
        let images = try Data(contentsOf: URL(filePath: "\(fixture.folder.path)/images"))
        #expect(try JSONDecoder().decode(ImageList.self, from: images).images.count > 5)
    }

    @Test func r6_aStartWithoutSpaceNamesTheRemedy() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = fixture.folder.path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 60_000, rlim_max: 60_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let problems = try CrashFixture.start(path).status.problems
            try #require(problems.count == 2)
            try #require(problems[0].contains("Free 512 KiB on the disk of \(path)/0"))
            exit(0)
        }
    }

    @Test func r6_aStartWithoutAFolderReportsItAndStillMarksTheEnd() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            let nowhere = CrashCapture.Paths(
                reports: ["\(path)/no/0", "\(path)/no/1"],
                images: "\(path)/no/images"
            )
            let sut = CrashCapture.start(in: nowhere, endMark: try CrashFixture.mark(path))
            sut.waitForImages()
            let problems = sut.status.problems
            try #require(problems.count == 3 && sut.status.isOn)
            try #require(problems[2].contains("no function names"))
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try fixture.end == [2, UInt8(SIGSEGV), 0, 0])
    }

    @Test func r21_theMainThreadReportsAStackOverflow() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            MainThread.run {
                _ = try? CrashFixture.start(path)
                _ = overflow(1)
            }
            await waitForEnd()
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && capture.frames.count == 256)
        #expect(capture.signal?.thread == capture.signal?.process)
        #expect(fixture.report(capture).has("overflow"))
    }

    @Test func r21_aRegisteredThreadReportsAStackOverflow() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            let sut = try CrashFixture.start(path)
            Thread.detachNewThread {
                sut.registerThread()
                _ = overflow(1)
            }
            await waitForEnd()
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && fixture.report(capture).has("overflow"))
    }

    @Test func aCrashBeforeTheImageListIsWrittenHasItsFunctions() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            _ = try CrashFixture.start(path, symbolicator: StuckSymbolicator())
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(!fixture.folder.names.contains("images"))
        #expect(fixture.report(try #require(try fixture.capture())).has("crashOnPurpose"))
    }

    @Test func r21_theRuntimesMessageIsTheReason() async throws {
        await #expect(processExitsWith: .signal(CrashWay.fatalError.signal)) {
            [path = fixture.folder.path as String] in
            let sut = try CrashFixture.start(path, capturesStandardError: true)
            try #require(sut.status.capturesStandardError)
            _ = crashOnPurpose(.fatalError, 1)
        }
        let crash = fixture.report(try #require(try fixture.capture())).crash
        #expect(crash?.reason == "Fatal error: The text of the error.")
        #expect(crash?.text?.contains("The text of the error.") == true)
    }

    @Test(arguments: [0, SIGTERM])
    func textWrittenRightBeforeTheEndIsForwarded(_ signal: Int32) async throws {
        let result = await #expect(
            processExitsWith: signal == 0 ? .exitCode(0) : .signal(signal),
            observing: [\.standardErrorContent]
        ) { [path = fixture.folder.path as String, signal = signal as Int32] in
            CrashCapture.registerExitHandler()
            _ = try CrashFixture.start(path, capturesStandardError: true)
            // The text almost fills the pipe, so the forwarding thread cannot have read it yet.
            CrashFixture.writeError((1...6_000).map { "line \($0)\n" }.joined())
            if signal == 0 { exit(0) }
            kill(getpid(), signal)
            await waitForEnd()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("line 1\n") && text.contains("line 6000\n"))
    }

    @Test func r2_anUnreadStandardErrorDoesNotDelayTheEnd() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            let full = try SystemPipe()
            _ = fcntl(full.input, F_SETFL, O_NONBLOCK)
            while write(full.input, "full", 4) > 0 {}
            _ = fcntl(full.input, F_SETFL, 0)
            dup2(full.input, STDERR_FILENO)
            _ = try CrashFixture.start(path, capturesStandardError: true)
            for number in 1...500 { CrashFixture.writeError("line \(number)\n") }
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete)
        #expect(String(decoding: capture.text, as: UTF8.self).hasSuffix("line 500\n"))
    }

    @Test func r7_anExitIsANormalEnd() async throws {
        await #expect(processExitsWith: .exitCode(4)) { [path = fixture.folder.path as String] in
            CrashCapture.registerExitHandler()
            _ = try CrashFixture.start(path)
            exit(4)
        }
        #expect(try fixture.end == [1, 0, 0, 0])
        #expect(PreviousRun(fixture.crashes, end: .clean) == .clean)
    }
}
#endif
