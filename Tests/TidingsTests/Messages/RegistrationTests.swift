// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsLock

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct RegistrationTests {
    private final class Place: Sendable {
        let registration = Lock<Registration?>(nil)
    }

    @Test func m4_nobodyIsCountedWhoseCancelHasReturnedAlsoIfItWasTheSecond() {
        let (channel, place, log) = (Channel(), Place(), Log<Int>())
        // Called by the first cancelling caller, before the registration is out.
        let didEnd: @Sendable () -> Void = {
            let isFree = finishesOnAnotherThread {
                place.registration.withLock { $0 }?.cancel()
                log(channel.count)
            }
            log(isFree ? 1 : 0)
        }
        let source = SourceLocation(fileID: #fileID, line: #line)
        let settings = RegistrationSettings(home: channel, source: source, didEnd: didEnd)
        let registration = ClosureRegistration<Int>(settings) { _ in }
        place.registration.withLock { $0 = registration }
        channel.insert(registration)
        registration.cancel()
        #expect(log.all == [0, 1])
        #expect(channel.count == 0)
        place.registration.withLock { $0 = nil }
    }
}
