// SPDX-License-Identifier: Apache-2.0

/// How long a request waits for a server before the request fails.
package struct RequestPatience: Sendable {
    /// The longest time to connect.
    package var connect = Duration.seconds(20)
    /// The longest time without a byte.
    package var stall = Duration.seconds(30)

    /// Creates a patience.
    package init(connect: Duration = .seconds(20), stall: Duration = .seconds(30)) {
        self.connect = connect
        self.stall = stall
    }
}
