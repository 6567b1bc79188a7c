// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Delivers a message whose only detour is that somebody watches; nil if there is more to do
    /// than calling handlers on this thread now.
    ///
    /// Not generic: a step that is would look up what is known of the message's type.
    func sendWatched(
        _ input: Incoming,
        of type: any Message.Type,
        from source: SourceLocation
    ) -> Int? {
        let thread = DeliveryThread.current
        guard tracing.isWatched, !thread.isDelivering(for: self), inProgress.begin() else {
            return nil
        }
        defer { inProgress.end() }
        return channel(of: type, on: thread).use { channel in
            // Read once: reasons that come and go meanwhile overlap with this post, but for those
            // of the registrations in the snapshot.
            guard channel !== untyped, channel.detours.areOnlyWatchers else { return nil }
            return thread.turn(of: self) {
                let recipients = channel.snapshot()
                guard let addressed = recipients.countLivingIfPlain() else { return nil }
                let content = PostContent(type: type, name: .type(type), source: source)
                let origin = thread.traceOrigin(of: self)
                let stamp = PostStamp(content, origin: origin, recipients: addressed)
                deliver(input, by: channel, to: recipients, stamp, on: thread)
                return addressed
            }
        }
    }

    private func deliver(
        _ input: Incoming,
        by channel: Channel,
        to recipients: RosterSnapshot,
        _ stamp: PostStamp,
        on thread: DeliveryThread
    ) {
        var trace = beginTrace(stamp, input)
        var hasOrphans = false
        thread.reading(channel) {
            recipients.visit { registration in
                do {
                    let outcome = try trace.noting(registration) { try registration.call(input) }
                    if outcome == .orphan { hasOrphans = true }
                } catch {
                    report(error, of: registration)
                }
            }
        }
        endTrace(trace, input)
        if hasOrphans { channel.sweep() }
    }
}

extension RosterSnapshot {
    /// How many are registered with a living owner; nil if one needs more than a call.
    fileprivate func countLivingIfPlain() -> Int? {
        var (count, isPlain) = (0, true)
        visit { registration in
            let traits = registration.traits
            if !traits.isPlain || traits.contains(.gated) { isPlain = false }
            if registration.isActive, !registration.isDead { count += 1 }
        }
        return isPlain ? count : nil
    }
}
