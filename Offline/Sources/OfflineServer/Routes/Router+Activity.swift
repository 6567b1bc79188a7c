// SPDX-License-Identifier: Apache-2.0

extension Router {
    /// Returns the recorded posts and the present observations.
    func listActivity() -> ServerResponse { .json(activity.snapshot) }

    /// Returns a stream that begins with the same and sends an event for each post.
    func followActivity() -> ServerResponse { .events(of: activity.connect()) }
}
