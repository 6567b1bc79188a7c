// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

extension HTTPClient.Configuration {
    /// A copy whose timeouts only end a hang.
    ///
    /// A busy machine can stop the server of a test for longer than the usual timeouts.
    package var patient: HTTPClient.Configuration {
        var copy = self
        (copy.connectTimeout, copy.stallTimeout) = (.seconds(300), .seconds(300))
        return copy
    }
}
