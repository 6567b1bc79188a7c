// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Ends the center's work for good.
    ///
    /// Once this call has returned:
    ///
    /// - `post` reaches no observer and returns 0. The center calls the unhandled hooks, and
    ///   watchers see that the center was finished.
    /// - `observe` in all its forms returns the token of an observation that has ended, and a new
    ///   sequence ends immediately. The center calls no object that is registered under a protocol.
    /// - The center retains nothing.
    ///
    /// Earlier posts are completed: the delivery in progress, the posts that handlers of this
    /// delivery have queued, and the calls that are pending on the main actor. Then every
    /// observation ends and releases the handler. Sequences and mailboxes accept nothing more and
    /// end after their pending messages. A poster that waits for room continues, but the post
    /// reaches no observer.
    ///
    /// This method may be called from any thread, inside a handler, and more than once. The call
    /// does not wait.
    ///
    /// ```swift
    /// let messages = center.messages(of: LoggedIn.self).values
    /// center.post(LoggedIn(name: "Ada"))
    /// center.finish()
    /// for await message in messages { print(message.name) }  // Ada, and the loop ends
    /// ```
    public func finish() {
        registered.finish()
        let channels = registry.withLock { $0.finish() } + [wildcards, interceptors]
        let leaving = channels.compactMap { channel in
            channel.finish().map { (channel: channel, registrations: $0) }
        }
        let drainGroup = drainGroup
        let draining = channels.flatMap(\.draining)
        drainGroup.begin(leaving.flatMap { $0.registrations.all } + draining)
        drainGroup.leave(draining)
        inProgress.close { [self] in
            for (channel, registrations) in leaving {
                drainGroup.begin()
                // Deliveries that do nothing but call handlers are readers of the channel.
                Readers.afterLeaving(channel.address) { [self] in
                    end(registrations, of: channel)
                }
            }
            drainGroup.end()
        }
    }

    /// Whether ``finish()`` was called.
    package var isFinished: Bool { inProgress.isClosed }

    /// Ends observations that receive nothing more.
    private func end(_ registrations: SubscriberSnapshot, of channel: Channel) {
        var (others, onMain): ([Registration], [Registration]) = ([], [])
        registrations.visit { registration in
            if registration.flags.contains(.main) {
                onMain.append(registration)
            } else {
                others.append(registration)
            }
        }
        let drainGroup = drainGroup
        others.end(in: channel)
        drainGroup.leave(others)
        let endThose: @Sendable () -> Void = { [onMain] in
            onMain.end(in: channel)
            drainGroup.leave(onMain)
            channel.endPresence()
            drainGroup.end()
        }
        if onMain.isEmpty { return endThose() }
        if MainActorCheck.isOnMainActor, mainQueue.isEmpty { return endThose() }
        // These observations end after all their calls that are pending there or have just left the
        // queue.
        mainQueue.append(for: self, endThose)
    }
}

extension MessageCenter {
    /// Counts a delivery as in progress and passes the delivery to the interceptors.
    ///
    /// The method is inlined, because a call would look up the message's type once more for each
    /// post.
    ///
    /// - Returns: The number of recipients if the post ends here, or nil if the post continues.
    @inline(__always)
    func begin<M: Message>(_ delivery: inout Delivery<M>) -> Int? {
        if tracing.isWatched { delivery.origin = DeliveryThread.current.traceOrigin(of: self) }
        guard inProgress.begin() else {
            refuse(delivery)
            return 0
        }
        let taken = intercept(&delivery)
        if taken != nil { inProgress.end() }
        return taken
    }

    /// Reports a message that was posted after the center had finished.
    @inline(never)
    func refuse<M: Message>(_ delivery: Delivery<M>) {
        traceUndelivered(delivery, .finished)
        if !DeliveryThread.current.isInside(.unhandled, of: self) {
            callUnhandledHooks(delivery.message, named: delivery.name, at: delivery.source)
        }
    }
}

extension SubscriberSnapshot {
    fileprivate var all: [Registration] {
        var all: [Registration] = []
        visit { all.append($0) }
        return all
    }
}

extension [Registration] {
    fileprivate func end(in channel: Channel) {
        for registration in self where registration.end() { channel.release(registration) }
    }
}
