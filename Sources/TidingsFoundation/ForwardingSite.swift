// SPDX-License-Identifier: Apache-2.0

/// The line that set up a forwarding, which a center reports as the call site of forwarded posts.
struct ForwardingSite: Sendable {
    let fileID: StaticString
    let line: UInt
}
