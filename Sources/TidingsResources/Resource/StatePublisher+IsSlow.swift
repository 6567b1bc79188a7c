// SPDX-License-Identifier: Apache-2.0
public import Tidings

extension StatePublisher {
    /// Whether a running load has exceeded the option `slowAfter` of the resource.
    ///
    /// When this value becomes true, observers receive the state again. The value becomes false
    /// when the load is over. A derived publisher has the value of its source.
    public var isSlow: Bool { isMarkedSlow }
}
