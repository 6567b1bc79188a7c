// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing
import TidingsFiles

@testable import OfflineMedia

@Suite(.timeLimit(.minutes(15)))
struct CancelledMoveTests {
    @Test func o8_aCopyThatIsNotWantedAnyMoreLeavesNothing() throws {
        let folder = try TemporaryFolder()
        let (path, target) = (folder.path + "/file", folder.path + "/target")
        try Data(repeating: 7, count: 5 << 20).write(to: URL(filePath: path))
        var pieces = 0
        let error = #expect(throws: SystemError.self) {
            try SystemFile.copy(path, to: target) {
                pieces += 1
                return pieces < 3
            }
        }
        #expect(error?.number == ECANCELED)
        #expect(pieces == 3)
        #expect(SystemFile.names(in: folder.path) == ["file"])
    }

    @Test func o8_aFailureAfterACancellationIsTheCancellation() async throws {
        let task = Task {
            try await performCancellable { cancellation in
                if cancellation.isSet { throw SystemError("write", number: ECANCELED) }
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
