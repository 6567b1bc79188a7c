// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct DownloadQueueTests {
    @Test func anItemWhoseEndCannotBeRecordedIsNotBegunAgainAtOnce() async throws {
        let test = try TestLibrary()
        try await test.origin.serve(["/a.txt": ["text": "a"], "/b.txt": ["text": "b"]])
        _ = try await test.library.enqueue(try test.request("/a.txt"))
        let refusal = try WriteRefusal(test.library.directory)
        let failures = MessageRecorder(DownloadFailed.self, on: test.library.messages)
        await test.start()
        #expect(try await failures.next().error.code == .database)
        try refusal.end()
        #expect(try await test.get("/b.txt").state == .ready)
        #expect(try await test.requests() == ["/a.txt": 1, "/b.txt": 1])
        #expect(try await test.get("/a.txt").state == .ready)
        await test.library.stop()
    }

    @Test func aSlowStepOfOneItemKeepsNobodyWaiting() async throws {
        let isHeld = Gate()
        let goOn = DispatchSemaphore(value: 0)
        let wasLetOn = Lock(false)
        let test = try TestLibrary { configuration in
            configuration.reachCheckpoint = { checkpoint in
                guard checkpoint == .beforeFinalRename else { return }
                isHeld.open()
                let result = goOn.wait(timeout: .now() + .seconds(120))
                wasLetOn.withLock { $0 = result == .success }
            }
        }
        try await test.origin.serve(["/a.txt": ["text": "a"]])
        let ready = MessageRecorder(DownloadCompleted.self, on: test.library.messages)
        _ = try await test.library.enqueue(try test.request("/a.txt"))
        await test.start()
        try await isHeld.wait()
        _ = try await test.library.enqueue(try test.request("/b.txt"))
        goOn.signal()
        _ = try await ready.next()
        #expect(wasLetOn.withLock { $0 })
        await test.library.stop()
    }
}
