// SPDX-License-Identifier: Apache-2.0

/// A provider of the machine's connectivity.
package protocol ConnectivitySource: Sendable {
    /// Returns the current connectivity, followed by the connectivity after each change.
    ///
    /// The stream may repeat a value. A failure means that the connectivity is unknown until the
    /// next element, or for good if the failure is the last element. Releasing the stream stops the
    /// work behind it.
    func updates() -> AsyncStream<Result<Connectivity, any Error>>
}
