// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import Testing

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct LibraryAccessTests {
    @Test func o17_aCommandWaitsWhileAnotherOneUsesTheLibrary() async throws {
        let folder = NSTemporaryDirectory() + "offline-" + UUID().uuidString
        var tries = 0
        let result = try await LibraryAccess.connect(LibraryDirectory(path: folder)) {
            () throws(LibraryError) in
            tries += 1
            guard tries > 1 else { throw LibraryError(.inUse, "In use.") }
            return tries
        } orTo: { _ in
            0
        }
        #expect(result == 2)
    }

    @Test func otherErrorsEndTheWait() async throws {
        let error = await #expect(throws: LibraryError.self) {
            try await LibraryAccess.connect(LibraryDirectory(path: "/nowhere")) {
                () throws(LibraryError) in
                throw LibraryError(.damaged, "Damaged.")
            } orTo: { _ in
                ()
            }
        }
        #expect(error?.code == .damaged)
    }
}
