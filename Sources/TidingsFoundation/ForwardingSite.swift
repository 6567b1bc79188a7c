// SPDX-License-Identifier: Apache-2.0

/// The line that set up a forwarding; a center reports it as the call site of the forwarded posts.
struct ForwardingSite: Sendable {
    let fileID: StaticString
    let line: UInt
}
