// SPDX-License-Identifier: Apache-2.0

/// The destination of delayed posts: a center that is held weakly.
struct Outlet: Sendable {
    private weak let center: MessageCenter?

    init(_ center: MessageCenter) {
        self.center = center
    }

    /// Posts in order, and calls `done` after this thread has delivered the last post.
    ///
    /// Inside a handler of the center, the posts are queued, followed by `done`.
    func post<M: Message>(_ posts: [Delivery<M>], then done: @escaping @Sendable () -> Void) {
        guard let center else { return done() }
        for post in posts { _ = center.send(post) }
        let thread = DeliveryThread.current
        if thread.isDelivering(for: center) {
            thread.enqueue(for: center, done)
        } else {
            done()
        }
    }
}
