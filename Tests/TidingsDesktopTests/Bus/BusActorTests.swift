// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import TidingsTesting

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(5))) struct BusActorTests {
    @Test func whoIsOnTheQueueIsInsideTheActor() async throws {
        let (client, isInside) = (BusClient(), Gate())
        client.executor.queue.async(execute: client.here { _ in isInside.open() })
        try await isInside.wait()
        let isInsideAgain = Gate()
        client.soon { _ in isInsideAgain.open() }
        try await isInsideAgain.wait()
    }

    @Test func aClaimFromAnotherThreadEndsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            BusClient().onQueue { _ in }
        }
    }
}
