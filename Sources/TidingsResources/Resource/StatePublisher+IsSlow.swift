// SPDX-License-Identifier: Apache-2.0
public import Tidings

extension StatePublisher {
    /// Whether a load is running that has exceeded its resource's option `slowAfter`.
    ///
    /// When this becomes true, observers receive the state again; it becomes false when the load is
    /// over. A derived publisher has the value of its source.
    public var isSlow: Bool { isMarkedSlow }
}
