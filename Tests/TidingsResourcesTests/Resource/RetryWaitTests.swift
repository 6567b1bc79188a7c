// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings
@testable import TidingsResources

@Suite(.timeLimit(.minutes(15)))
struct RetryWaitTests {
    private enum Step {
        case offline
        case online
        case delay
    }

    /// Returns the steps, counted from 1, at which the attempt starts.
    private func begins(_ steps: [Step]) -> [Int] {
        var wait = RetryWait()
        return steps.indices.filter { index in
            switch steps[index] {
            case .offline: wait.set(isOffline: true)
            case .online: wait.set(isOffline: false)
            case .delay: wait.delayEnded()
            }
        }.map { $0 + 1 }
    }

    @Test func onlineTheDelayDecides() {
        #expect(begins([.delay, .online]) == [1])
        #expect(begins([.online, .online, .delay, .delay]) == [3])
    }

    @Test func offlineTheAttemptWaits() {
        #expect(begins([.offline, .delay, .offline]) == [])
        #expect(begins([.offline, .delay, .online, .online]) == [3])
    }

    @Test func comingOnlineEndsTheDelay() {
        #expect(begins([.offline, .online, .delay]) == [2])
        #expect(begins([.online, .offline, .online, .delay, .offline, .online]) == [3])
    }
}
