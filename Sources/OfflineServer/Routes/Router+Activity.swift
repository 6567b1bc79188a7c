// SPDX-License-Identifier: Apache-2.0

extension Router {
    /// Posts, handlers and observations as they are now.
    func listActivity() -> ServerResponse { .json(activity.snapshot) }

    /// The same, then each post as it happens.
    func followActivity() -> ServerResponse { .events(of: activity.connect()) }
}
