// SPDX-License-Identifier: Apache-2.0

/// The subject of a forwarded message, which carries the path of the message.
///
/// A message is a value and cannot carry a tag. The subject accompanies each delivery, including
/// queued and nested deliveries. A handler that posts the message again does not pass the subject
/// on.
final class ForwardedSubject: Sendable {
    let path: ForwardingPath

    init(_ path: ForwardingPath) {
        self.path = path
    }
}
