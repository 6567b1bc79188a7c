// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Formats numbers for the user.
enum Format {
    static func percent(_ fraction: Double) -> String {
        "\(Int((fraction * 100).rounded(.down))) %"
    }
}
