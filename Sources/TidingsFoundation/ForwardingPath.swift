// SPDX-License-Identifier: Apache-2.0

/// The centers, of both kinds, that something forwarded has been on, the present one included.
///
/// It holds none of them: whoever keeps a forwarded notification keeps no center alive.
struct ForwardingPath: Sendable {
    private struct Stop: Sendable {
        weak let center: (any AnyObject & Sendable)?
    }

    private let stops: [Stop]

    /// The path of something that was posted on `center` by the program itself.
    init(from center: any AnyObject & Sendable) {
        stops = [Stop(center: center)]
    }

    private init(_ stops: [Stop]) {
        self.stops = stops
    }

    /// The path one center further; nil if it has been there.
    func extended(to center: any AnyObject & Sendable) -> ForwardingPath? {
        if stops.contains(where: { $0.center === center }) { return nil }
        return ForwardingPath(stops + [Stop(center: center)])
    }
}

/// What a message is about that was forwarded.
///
/// A message is a value and carries no mark. What it is about goes with each delivery of it, also
/// when that is queued or nested, and is no part of what a handler posts again.
final class ForwardedMessage: Sendable {
    let path: ForwardingPath

    init(_ path: ForwardingPath) {
        self.path = path
    }
}
