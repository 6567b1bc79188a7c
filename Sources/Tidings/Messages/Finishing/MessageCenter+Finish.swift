// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Ends the center's work for good.
    ///
    /// From the moment this has returned:
    ///
    /// - `post` reaches nobody and returns 0; those who watch the center see that it was finished.
    /// - `observe` returns the token of an observation that has ended.
    /// - `notify` reaches nobody.
    /// - The hooks are not called, and nothing is retained.
    ///
    /// Posts in progress are completed, those included that wait in a handler for their turn, for
    /// the main actor or for room in a buffer. Then every observation ends: sequences and mailboxes
    /// after what they hold.
    ///
    /// It may be called from any thread, also inside a handler, and again. It waits for nobody.
    ///
    /// ```swift
    /// center.finish()
    /// for await message in messages { print("still unread: \(message)") }
    /// ```
    public func finish() {
        let replaced = hooks.withLock { hooks in
            defer { hooks = Hooks(isFinished: true) }
            return hooks
        }
        withExtendedLifetime(replaced) {}
        registered.finish()
        let channels = registry.withLock { $0.finish() } + [wildcards, interceptors]
        let leaving = channels.compactMap { channel in
            channel.finish().map { (channel: channel, registrations: $0) }
        }
        inProgress.close { [self] in
            for (channel, registrations) in leaving {
                // Those who call handlers and do no more than that are readers of the channel.
                Readers.afterLeaving(channel.address) { [self] in
                    end(registrations, of: channel)
                }
            }
        }
    }

    /// Whether ``finish()`` was called.
    public var isFinished: Bool { inProgress.isClosed }

    /// Ends observations to which nothing is sent any more.
    private func end(_ registrations: RosterSnapshot, of channel: Channel) {
        var (others, onMain): ([Registration], [Registration]) = ([], [])
        registrations.visit { registration in
            if registration.traits.contains(.main) {
                onMain.append(registration)
            } else {
                others.append(registration)
            }
        }
        others.end(in: channel)
        channel.retire(nil)
        guard !onMain.isEmpty else { return }
        if MainActorCheck.isOnMainActor, mainQueue.isEmpty { return onMain.end(in: channel) }
        // Behind their calls that wait there, or have just left the queue.
        mainQueue.append(for: self) { [onMain] in onMain.end(in: channel) }
    }
}

extension [Registration] {
    fileprivate func end(in channel: Channel) {
        for registration in self where registration.end() { channel.release(registration) }
    }
}
