// SPDX-License-Identifier: Apache-2.0
// expect: 'state' is a get-only property
import Tidings

func load(_ names: StatePublisher<[String]>) {
    names.state = .loaded(["Ada"])
}
