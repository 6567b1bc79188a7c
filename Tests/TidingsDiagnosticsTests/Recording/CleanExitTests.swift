// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// An exit marks the end of a run, and waits for nobody.
@Suite(.timeLimit(.minutes(5)))
struct CleanExitTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns, as far as the compiler knows: else it would release what is locked before.
    private static func leave() {
        exit(3)
    }

    @Test func promise7_anExitFromInsideOfTheFilesLockMarksTheEnd() async throws {
        await #expect(processExitsWith: .exitCode(3)) { [path = folder.path as String] in
            alarm(20)
            let file = RunFile(at: "\(path)/live")
            CleanExit.mark(file)
            file.state.withLock { _ in Self.leave() }
        }
        #expect(RunRecord.read("\(folder.path)/live")?.end == .clean)
    }

    @Test func anExitFromInsideOfItsOwnLockEnds() async throws {
        await #expect(processExitsWith: .exitCode(3)) { [path = folder.path as String] in
            alarm(20)
            let file = RunFile(at: "\(path)/live")
            CleanExit.mark(file)
            CleanExit.files.withLock { _ in Self.leave() }
        }
    }
}
#endif
