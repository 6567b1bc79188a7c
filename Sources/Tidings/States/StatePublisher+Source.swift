// SPDX-License-Identifier: Apache-2.0

// For a source that loads the data of a publisher.

extension StatePublisher {
    /// Calls `start` with the first observer and `stop` after the last observer, each time.
    package func whileObserved(
        start: @escaping @Sendable () -> Void,
        stop: @escaping @Sendable () -> Void
    ) {
        delivery.channel.add(PresenceHook(start: start, stop: stop))
    }

    /// Whether the publisher has observers, including expired observers that were not swept yet.
    ///
    /// Under the lock, no observer can be added.
    package var isObserved: Bool { !delivery.channel.isEmpty }

    /// Removes the observers whose owners were deallocated.
    package func sweep() {
        delivery.channel.sweep()
    }

    /// Calls `action` once, when the data is invalidated or reset.
    package func whenOutdated(_ key: ObjectIdentifier, _ action: @escaping @Sendable () -> Void) {
        delivery.whenOutdated(key, action)
    }

    /// Drops an action that was not run yet.
    package func forgetWhenOutdated(_ key: ObjectIdentifier) {
        delivery.forgetWhenOutdated(key)
    }

    /// Runs the actions for data that was invalidated or reset.
    package func noteOutdated() {
        delivery.noteOutdated()
    }
}
