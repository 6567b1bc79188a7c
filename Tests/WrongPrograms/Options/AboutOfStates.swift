// SPDX-License-Identifier: Apache-2.0
// expect: only messages are about an object
import Tidings

final class Album: Sendable {}

func start(_ names: StatePublisher<String>, _ album: Album) -> ObservationToken {
    names.states.about(album).observe { print($0) }
}
