// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Secrets that let a browser in once, and for a short time.
///
/// The program that opens a browser is given the address as an argument, and every user of the
/// machine can read the arguments of a running program. So that address carries a ticket, which
/// is worth nothing as soon as the browser has shown it, and never the server's token.
final class EntryTickets: Sendable {
    private struct Ticket {
        let secret: AccessToken
        let issued: Duration
    }

    /// How long a ticket is good: a browser that has to start first gets there in time.
    static let lifetime = Duration.seconds(120)
    /// How many tickets may be open; the oldest goes when one more is issued.
    static let capacity = 16

    private let elapsed: @Sendable () -> Duration
    private let open = Lock<[Ticket]>([])

    init(clock: any Clock<Duration>) {
        elapsed = Self.stopwatch(clock)
    }

    /// Returns the secret of a new ticket.
    func issue() -> AccessToken {
        let ticket = Ticket(secret: .random(), issued: elapsed())
        open.withLock { open in
            open.append(ticket)
            if open.count > Self.capacity { open.removeFirst() }
        }
        return ticket.secret
    }

    /// Uses up a ticket; false when nobody was given it, it was used or it is too old.
    func redeem(_ candidate: String) -> Bool {
        let oldest = elapsed() - Self.lifetime
        return open.withLock { open in
            open.removeAll { $0.issued < oldest }
            guard let index = open.firstIndex(where: { $0.secret.matches(candidate) }) else {
                return false
            }
            open.remove(at: index)
            return true
        }
    }

    private static func stopwatch<C: Clock<Duration>>(
        _ clock: C
    ) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
