// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Short-lived tickets, each of which admits one browser once.
///
/// The command that opens a browser gets the address as an argument, and every user of the machine
/// can read the arguments of a running program. For this reason, the address never contains the
/// server's token, but a ticket that is spent as soon as the browser presents it.
final class EntryTickets: Sendable {
    private struct Ticket {
        let secret: AccessToken
        let issued: Duration
    }

    /// The time for which a ticket is valid by default.
    ///
    /// A browser that is not running yet has enough time to start.
    static let lifetime = Duration.seconds(120)
    /// The maximum number of open tickets.
    ///
    /// One more ticket removes the oldest.
    static let capacity = 16

    private let lifetime: Duration
    private let elapsed: @Sendable () -> Duration
    private let open = Lock<[Ticket]>([])

    init(clock: any Clock<Duration>, lifetime: Duration = lifetime) {
        self.lifetime = lifetime
        elapsed = Self.stopwatch(clock)
    }

    /// Issues a ticket and returns the secret with the given number of digits.
    func issue(digits: Int = 64) -> AccessToken {
        let ticket = Ticket(secret: .random(digits: digits), issued: elapsed())
        open.withLock { open in
            open.append(ticket)
            if open.count > Self.capacity { open.removeFirst() }
        }
        return ticket.secret
    }

    /// Redeems a ticket.
    ///
    /// Returns false if the ticket was never issued, was already used or has expired.
    func redeem(_ candidate: String) -> Bool {
        let oldest = elapsed() - lifetime
        return open.withLock { open in
            open.removeAll { $0.issued < oldest }
            guard let index = open.firstIndex(where: { $0.secret.matches(candidate) }) else {
                return false
            }
            open.remove(at: index)
            return true
        }
    }

    /// Returns a closure that returns the time since this call.
    static func stopwatch<C: Clock<Duration>>(
        _ clock: C
    ) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
