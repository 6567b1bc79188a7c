// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Testing

extension PageSample: CustomTestStringConvertible {
    /// The kind of player.
    public var testDescription: String { name }
}
