// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

@Suite(.timeLimit(.minutes(15)))
struct ReplacedDataTests {
    @Test func m9_replacedDataIsReleasedOutsideTheLock() {
        let publisher = StatePublisher<Canary>()
        let log = Log<String>()
        publisher.updateData(
            Canary { [weak publisher] in
                let isFree = finishesOnAnotherThread { _ = publisher?.state.phase }
                log(isFree ? "free" : "locked")
            }
        )
        publisher.reset()
        #expect(log.all == ["free"])
    }
}
