// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// The run of a forked child, which shares memory, files and handlers with its parent.
@Suite(.timeLimit(.minutes(15)))
struct ForkedChildTests {
    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    /// Runs `body` in a forked child and returns the exit code, or nil if a signal ended the child.
    private static func fork(_ body: () -> Int32) -> Int32? {
        let child = RawCalls.fork()
        if child == 0 { exit(body()) }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    @Test func itRecordsNothingInTheRunOfItsParent() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = fixture.folder.path as String] in
            let reporter = try CrashReporter.start(.init(test: path, .on))
            reporter.capture?.waitForImages()
            reporter.queue.sync {}
            reporter.log("parent")
            reporter.setValue("parent", forKey: "who")
            let result = Self.fork {
                reporter.log("child")
                reporter.setValue("child", forKey: "who")
                reporter.setUser("child")
                return reporter.record(CancellationError()) == nil ? 7 : 8
            }
            guard result == 7 else { _exit(1) }
            reporter.log("parent again")
            kill(getpid(), SIGKILL)
        }
        let folder = try #require(RunFolder.acquireEnded(in: fixture.folder.path).first)
        let run = EndedRun(folder)
        #expect(run.record?.breadcrumbs.map(\.breadcrumb.text) == ["parent", "parent again"])
        #expect(run.record?.events.isEmpty == true)
        #expect(run.scope == ScopeRecord(user: nil, values: ["who": "parent"]))
        #expect(run.end == .endedWithoutNotice)
    }

    @Test func aReporterOfItsOwnCapturesItsCrash() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = fixture.folder.path as String] in
            signal(SIGABRT) { _ in }
            let sut = try CrashFixture.start(path)
            sut.waitForImages()
            let child = RawCalls.fork()
            if child == 0 {
                mkdir("\(path)/child", 0o700)
                let own = try? CrashFixture.start("\(path)/child")
                guard own?.status.isOn == true else { _exit(1) }
                _ = crashOnPurpose(.badPointer, 1)
            }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            _exit(status & 0x7F == SIGSEGV && sut.status.isOn ? 0 : 1)
        }
        #expect(try fixture.capture() == nil)
        let bytes = try Data(contentsOf: URL(filePath: "\(fixture.folder.path)/child/0"))
        let capture = try #require(RawCapture(bytes))
        #expect(capture.isComplete && capture.signal?.number == SIGSEGV)
    }

    @Test(arguments: [false, true])
    func itsSignalsArePassedToTheEarlierHandler(_ isSent: Bool) async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            [path = fixture.folder.path as String, isSent = isSent as Bool] in
            signal(SIGSEGV) { _ in
                // The handler returns after a sent signal, and ends the process at a second fault.
                var action = sigaction()
                sigaction(SIGSEGV, nil, &action)
                let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                let isGone = handler == unsafeBitCast(SIG_DFL, to: Int.self)
                if !isGone { signal(SIGSEGV, SIG_DFL) }
            }
            try CrashFixture.arm(path)
            let child = RawCalls.fork()
            if child == 0 {
                if isSent { raise(SIGSEGV) } else { _ = crashOnPurpose(.badPointer, 1) }
                _exit(7)
            }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            _exit(status == (isSent ? 7 << 8 : SIGSEGV) ? 0 : 1)
        }
        #expect(try fixture.capture() == nil)
    }
}
#endif
