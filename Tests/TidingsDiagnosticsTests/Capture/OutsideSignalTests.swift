// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// Fatal signals from another process, such as a watchdog.
@Suite(.timeLimit(.minutes(15)))
struct OutsideSignalTests {
    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGTRAP], [false, true])
    func r5_aSignalFromAnotherProcessIsReportedAndEndsTheProcess(
        _ number: Int32,
        _ isHandled: Bool
    ) async throws {
        await #expect(processExitsWith: .signal(number)) {
            [
                path = fixture.folder.path as String, number = number as Int32,
                isHandled = isHandled as Bool
            ]
            in
            let file = open("\(path)/earlier", O_RDWR | O_CREAT, 0o600)
            dup2(file, 200)
            if isHandled { signal(number) { _ in _ = write(200, "called", 6) } }
            try CrashFixture.arm(path, marksEnd: true)
            let parent = getpid()
            let child = RawCalls.fork()
            if child == 0 {
                let own = "\(getpid())"
                let file = open("\(path)/sender", O_WRONLY | O_CREAT, 0o600)
                _ = write(file, own, own.utf8.count)
                kill(parent, number)
                _exit(0)
            }
            await waitForEnd()
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isRecovered)
        #expect(capture.signal?.number == number)
        #expect(capture.signal?.sender == Int32(try fixture.folder.text(of: "sender")))
        #expect(capture.signal?.sender != capture.signal?.process)
        #expect(try fixture.folder.text(of: "earlier") == (isHandled ? "called" : ""))
        #expect(try fixture.end == [2, UInt8(number), 0, 0])
    }
}
#endif
