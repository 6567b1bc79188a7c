// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import TidingsTesting

@testable import TidingsDesktop

@Suite(.timeLimit(.minutes(15))) struct BusActorTests {
    @Test func callbacksOnTheQueueAreIsolatedToTheActor() async throws {
        let (client, isInside) = (BusClient(), Gate())
        client.executor.queue.async(execute: client.callback { _ in isInside.open() })
        try await isInside.wait()
        let isInsideAgain = Gate()
        client.enqueue { _ in isInsideAgain.open() }
        try await isInsideAgain.wait()
    }

    @Test func aCallFromAnotherThreadTraps() async {
        await #expect(processExitsWith: .failure) {
            BusClient().onQueue { _ in }
        }
    }
}
