// SPDX-License-Identifier: Apache-2.0
import Dispatch
import OfflineLibraryFixtures
import Testing
import Tidings
import TidingsLock
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct DownloadQueueTests {
    @Test func anItemWithAnUnrecordedOutcomeIsNotRestartedAtOnce() async throws {
        let test = try TestLibrary()
        try await test.origin.serve(["/a.txt": ["text": "a"], "/b.txt": ["text": "b"]])
        _ = try await test.library.enqueue(try test.request("/a.txt"))
        let failure = try WriteFailure(test.library.directory)
        let failures = MessageRecorder(DownloadFailed.self, on: test.library.messages)
        await test.start()
        #expect(try await failures.next().error.code == .database)
        try failure.end()
        #expect(try await test.get("/b.txt").state == .ready)
        #expect(try await test.requests() == ["/b.txt": 1])
        #expect(try await test.get("/a.txt").state == .ready)
        await test.library.stop()
    }

    @Test func aBlockedItemDoesNotBlockRequests() async throws {
        let isBlocked = Gate()
        let resume = DispatchSemaphore(value: 0)
        let isResumed = Lock(false)
        let test = try TestLibrary { configuration in
            configuration.reachCheckpoint = { checkpoint in
                guard checkpoint == .beforeFinalRename else { return }
                isBlocked.open()
                let result = resume.wait(timeout: .now() + .seconds(600))
                isResumed.withLock { $0 = result == .success }
            }
        }
        try await test.origin.serve(["/a.txt": ["text": "a"]])
        let ready = MessageRecorder(DownloadCompleted.self, on: test.library.messages)
        _ = try await test.library.enqueue(try test.request("/a.txt"))
        await test.start()
        try await isBlocked.wait()
        _ = try await test.library.enqueue(try test.request("/b.txt"))
        resume.signal()
        _ = try await ready.next()
        #expect(isResumed.withLock { $0 })
        await test.library.stop()
    }
}
